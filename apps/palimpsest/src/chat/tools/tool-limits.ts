/** Every bound of the chat's tools. Sizes in bytes or characters as named, times in milliseconds. */
export const TOOL_LIMITS = Object.freeze({
  /** Characters of one result, in a large window. */
  outputCharacters: 40_000,
  /** No result takes more than this share of the window, at four characters a token. */
  outputShare: 0.15,
  /** Characters of one line that are shown. */
  lineCharacters: 2_000,
  /** Lines that `read_file` shows unless it is asked for fewer or more. */
  readLines: 2_000,
  /** For reading or searching. */
  readTime: 20_000,
  /** Bytes that are read at once. */
  chunkBytes: 1024 * 1024,
  /** Bytes of a file that may be edited. */
  editBytes: 10 * 1024 * 1024,
  /** Bytes of a UTF-16 file, which is read as a whole. */
  wholeBytes: 8 * 1024 * 1024,
  /** Entries of one list. */
  listEntries: 500,
  /** Files that a walk through the workspace looks at. */
  walkFiles: 100_000,
  /** Lines that a search shows. */
  searchMatches: 200,
  /** For a pattern on one piece of a file: some would take years. */
  patternTime: 500,
  /** For a command, unless the model asks for another time. */
  commandTime: 120_000,
  /** The longest time that a model may ask for. */
  longestCommand: 600_000,
  /** From the polite signal to the one that cannot be refused. */
  killAfter: 2_000,
})
