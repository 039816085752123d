/** The call was wrong, or what it names is no engine: its message says what would be right. */
export class UsageError extends Error {}
