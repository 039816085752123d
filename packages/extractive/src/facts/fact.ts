/** A statement that gives a name its value: "the snapshot path of KEY is VALUE", "port = 8080". */
export interface Fact {
  /** What has the value, normalised for comparison. A later fact with the same key replaces an earlier one. */
  readonly key: string
  readonly value: string
  /** The statement as it stood in the text, on one line. */
  readonly text: string
  /** 0 to 1: lower when the same text made many such statements, as a configuration file does. */
  readonly weight: number
}
