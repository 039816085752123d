export const SERVE_BLOCK = 'serve'

/** Every number of the service that need not be chosen. Times are milliseconds, sizes bytes. */
export const SERVE_DEFAULTS = Object.freeze({
  port: 3_000,
  host: '127.0.0.1',
  /** The session of a call that names none. */
  session: 'default',
  window: 200_000,
  bodyLimit: 10 * 1024 * 1024,
  /** A call that is not answered by then ends with 504. */
  timeLimit: 120_000,
  /** The headers of a call have to arrive by then. */
  headerLimit: 10_000,
  /** Calls of one session that may wait or run at once; the next one gets 429. */
  queueLimit: 16,
  /** The time that a call waits for another worker to be done with its session: longer than the lock of a dead one lasts. */
  lockLimit: 45_000,
  /** The store is out of order when it has not answered by then. */
  healthLimit: 2_000,
  loadedLimit: 64,
  /** After this time without a call, a conversation leaves the memory. */
  idleLimit: 10 * 60_000,
  /** The time that a shutdown waits for calls before it aborts them. */
  shutdownLimit: 10_000,
  toolRounds: 8,
  /** Characters of `relevantCodes` that go into the prompt, all together. */
  codeCharacters: 60_000,
})
