/** The gateway's defaults. Times are in milliseconds, sizes in bytes. */
export const GATEWAY_DEFAULTS = Object.freeze({
  /** A larger request is refused with 413; leaves room for a few images. */
  body: 32 * 1024 * 1024,
  /** A request that takes longer to arrive is refused with 408. */
  upload: 120_000,
  /** Maximum silence of the upstream, before its answer and within a stream; the same as in Node's `fetch`. */
  idle: 300_000,
  /** Time limit of the upstream's list of models; the configuration then gives the window. */
  modelList: 3_000,
  /** Lifetime of such a list. */
  modelListAge: 10 * 60_000,
  /** Maximum number of conversations in memory. */
  conversations: 64,
  /** Time without a request after which a conversation leaves memory. */
  idleConversation: 30 * 60_000,
  /** Maximum number of recognised conversations, in memory or not. */
  remembered: 1_000,
  /** Maximum number of waiting and running requests per conversation; the next one gets 429. */
  queue: 16,
  /** Maximum number of requests to the upstream per answer, while the model calls the engine's tools. */
  rounds: 8,
})

export type GatewayLimits = Readonly<Record<keyof typeof GATEWAY_DEFAULTS, number>>
