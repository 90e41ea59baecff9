import { expect, it } from "vitest";
import vectors from "../../../../crates/transparency/tests/vectors.json";
import { houseWith, leavesOf, treeOf, witnessWith } from "@/test-support/trust";
import { findCosignature, parseWitnessKey } from "./cosignature";

const SECOND = 1_795_290_535;
const checkpoint = async (size: number) => (await houseWith()).signTree(await treeOf(await leavesOf(size)));

it("verifies the cosignature of the server's examples", async () => {
  const { note, witnessKey, otherWitnessKey, second } = vectors.cosigned;
  expect(await findCosignature(note, await parseWitnessKey(witnessKey))).toEqual({ state: "valid", second });
  expect(await findCosignature(note, await parseWitnessKey(otherWitnessKey))).toEqual({ state: "missing" });
});

it("finds the last of several witnesses' cosignatures", async () => {
  const [one, other] = [await witnessWith(8, "one.example"), await witnessWith(9, "other.example")];
  const signed = await checkpoint(5);
  const both = await other.cosign(await one.cosign(signed, SECOND), SECOND + 1);
  expect(await findCosignature(signed, await parseWitnessKey(one.key))).toEqual({ state: "missing" });
  for (const [witness, second] of [
    [one, SECOND],
    [other, SECOND + 1],
  ] as const)
    expect(await findCosignature(both, await parseWitnessKey(witness.key))).toEqual({ state: "valid", second });
  const again = await one.cosign(both, SECOND + 2);
  expect(await findCosignature(again, await parseWitnessKey(one.key))).toEqual({ state: "valid", second: SECOND + 2 });
});

it("finds that a cosignature is of another checkpoint, another time or another key", async () => {
  const witness = await witnessWith();
  const key = await parseWitnessKey(witness.key);
  const signed = await checkpoint(5);
  const cosigned = await witness.cosign(signed, SECOND);
  const line = cosigned.slice(signed.length);
  const [, encoded = ""] = /^\S+ \S+ (\S+)\n$/.exec(line) ?? [];
  const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
  const withBytes = (changed: Uint8Array) => `${signed}— ${witness.name} ${btoa(String.fromCharCode(...changed))}\n`;
  expect(await findCosignature(withBytes(bytes), key)).toEqual({ state: "valid", second: SECOND });
  for (const [what, note] of [
    ["another checkpoint", `${await checkpoint(6)}${line}`],
    ["another time", withBytes(bytes.with(11, (bytes[11] ?? 0) ^ 1))],
    ["an impossible time", withBytes(bytes.with(4, 255))],
    ["another signature", withBytes(bytes.with(40, (bytes[40] ?? 0) ^ 1))],
    ["a short signature", withBytes(bytes.slice(0, -1))],
    [
      "a wrong one after a right one",
      `${cosigned}${withBytes(bytes.with(75, (bytes[75] ?? 0) ^ 1)).slice(signed.length)}`,
    ],
  ] as const)
    expect(await findCosignature(note, key), what).toEqual({ state: "invalid" });
});

it("does not take a key of a log for one of a witness", async () => {
  await expect(parseWitnessKey((await houseWith()).key)).rejects.toMatchObject({ problem: "format" });
  await expect(parseWitnessKey("witness.example")).rejects.toMatchObject({ problem: "format" });
});
