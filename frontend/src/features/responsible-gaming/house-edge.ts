/** "97.29843375" → "2.70": what the house keeps of 100, with two decimals. */
export function houseEdge(rtpPercent: string): string {
  return (100 - Number(rtpPercent)).toFixed(2);
}
