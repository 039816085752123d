import type { ContextEngine, EngineCapability, EngineHost, Message, Store } from '@palimpsest/core'

/** The suite's input of `create`: a host whose every part is a double, a folder, and options of the case. */
export interface ContractHost extends EngineHost {
  /** A folder of its own, empty at first. Engines that keep something keep it here. */
  readonly storage: string
  /** Options that a case adds, such as a misspelt one. Pass them on after your own. */
  readonly options: Readonly<Record<string, unknown>>
}

/** An engine as its author hands it to the suite. */
export interface ContractTarget {
  /** Its name in reports, such as `compressor (lean)`. */
  readonly name: string
  /** Builds one engine for one session, such as `(host) => compressor.create({ ...host.options }, host)`. */
  create(host: ContractHost): ContextEngine
  /** The store of an engine whose definition has one, in `host.storage`. Engines that keep things elsewhere need none. */
  store?(host: Pick<ContractHost, 'storage'>): Store
  /** Builds the engine again on the storage of one that is gone. Default: `create`. */
  reopen?(host: ContractHost): ContextEngine
  /**
   * Gets a message back through the engine's tools, as JSON text of the whole message. Needed by
   * engines that declare `lossless`; `at` is the message's index in the transcript.
   */
  recall?(engine: ContextEngine, message: Message, at: number): Promise<string>
  /** Capabilities that the engine must declare, so that it cannot pass by declaring none. */
  readonly expectCapabilities: readonly EngineCapability[]
  /** Cases that are left out, by id, each with the reason, which is printed. */
  readonly skip?: Readonly<Record<string, string>>
  /** Where generated conversations begin. Default 1; a failing property prints the seed that repeats it. */
  readonly seed?: number
  /** Generated conversations of each property. Default 100. */
  readonly propertyRuns?: number
  /** The time on the processor, or of waiting, after which a case fails, in milliseconds. An engine whose calls are slow needs more. Default 60,000. */
  readonly caseTimeoutMs?: number
}

/** The defaults of a target. */
export const TARGET_DEFAULTS = { seed: 1, propertyRuns: 100, caseTimeoutMs: 60_000 } as const
