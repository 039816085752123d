/** Every number of the gateway that need not be chosen. Times are milliseconds, sizes bytes. */
export const GATEWAY_DEFAULTS = Object.freeze({
  /** A request above this is refused with 413: room for a few images. */
  body: 32 * 1024 * 1024,
  /** A request that has not arrived by then is refused with 408. */
  upload: 120_000,
  /** The longest silence of the upstream, before it answers and in a stream. Node's own `fetch` waits as long. */
  idle: 300_000,
  /** The time limit for the upstream's list of models; then the configuration gives the window. */
  modelList: 3_000,
  /** The lifetime of such a list. */
  modelListAge: 10 * 60_000,
  /** Conversations that are held in memory at once. */
  conversations: 64,
  /** After this time without a request, a conversation leaves the memory. */
  idleConversation: 30 * 60_000,
  /** Conversations that are recognised when they come back, in memory or not. */
  remembered: 1_000,
  /** Requests of one conversation that may wait or run at once; the next one gets 429. */
  queue: 16,
  /** Requests to the upstream for one answer, because the model called tools of the engine. */
  rounds: 8,
})

export type GatewayLimits = Readonly<Record<keyof typeof GATEWAY_DEFAULTS, number>>
