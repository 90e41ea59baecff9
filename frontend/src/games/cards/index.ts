export { CardList, type CardPlace, PlayingCard, placeName } from "./playing-card";
