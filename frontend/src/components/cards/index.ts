// Apart from the other components, so that only what shows cards loads it.
export { CardList, type CardPlace, PlayingCard, placeName } from "./playing-card";
