export const SERVE_BLOCK = 'serve'

/** The service's defaults; times in milliseconds, sizes in bytes. */
export const SERVE_DEFAULTS = Object.freeze({
  port: 3_000,
  host: '127.0.0.1',
  session: 'default',
  window: 200_000,
  bodyLimit: 10 * 1024 * 1024,
  /** A call that takes longer ends with 504. */
  timeLimit: 120_000,
  /** The headers of a call have to arrive by then. */
  headerLimit: 10_000,
  /** Calls of one session that may wait or run at once; the next one gets 429. */
  queueLimit: 16,
  /** Maximum wait for another worker's lock, longer than a dead worker's lock lasts. */
  lockLimit: 45_000,
  healthLimit: 2_000,
  loadedLimit: 64,
  idleLimit: 10 * 60_000,
  shutdownLimit: 10_000,
  toolRounds: 8,
  codeCharacters: 60_000,
})
