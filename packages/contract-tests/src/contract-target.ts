import type { ContextEngine, EngineCapability, EngineHost, Message, Store } from '@palimpsest/core'

/** The input of `create`: a host of test doubles, a folder, and the case's options. */
export interface ContractHost extends EngineHost {
  /** A private folder, empty at first, for engines that store something. */
  readonly storage: string
  /** The case's options, such as a misspelt one, to be passed after your own. */
  readonly options: Readonly<Record<string, unknown>>
}

/** An engine as its author gives it to the suite. */
export interface ContractTarget {
  /** The name in reports, such as `compressor (lean)`. */
  readonly name: string
  /** Creates one engine for one session, such as `(host) => compressor.create({ ...host.options }, host)`. */
  create(host: ContractHost): ContextEngine
  /** The store, in `host.storage`, of an engine whose definition has one. Engines with other storage omit it. */
  store?(host: Pick<ContractHost, 'storage'>): Store
  /** Creates the engine again on existing storage. Default: `create`. */
  reopen?(host: ContractHost): ContextEngine
  /**
   * Recalls a message through the engine's tools, as JSON text of the whole message. Required for engines that declare
   * `lossless`; `at` is the message's index in the transcript.
   */
  recall?(engine: ContextEngine, message: Message, at: number): Promise<string>
  /** Capabilities that the engine must declare, so that declaring none does not pass. */
  readonly expectCapabilities: readonly EngineCapability[]
  /** Cases to skip, by id, with the reason that is printed. */
  readonly skip?: Readonly<Record<string, string>>
  /** The seed of generated conversations. Default 1; a failing property prints the seed that repeats it. */
  readonly seed?: number
  /** Number of generated conversations per property. Default 100. */
  readonly propertyRuns?: number
  /**
   * The time on the processor, or of waiting, after which a case fails, in milliseconds. An engine whose calls are slow
   * needs more. Default 60,000.
   */
  readonly caseTimeoutMs?: number
}

/** The defaults of a target. */
export const TARGET_DEFAULTS = { seed: 1, propertyRuns: 100, caseTimeoutMs: 60_000 } as const
