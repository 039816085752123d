/** A wrong argument or option: its message says what would be right. */
export class UsageError extends Error {}
