/** A wrong argument or option: its message says what would be right, in one line. */
export class UsageError extends Error {}
