import type { EngineDefinition, Warning } from '../spec/v1/index.ts'

/** Where engines come from, in the order in which they are asked; `none` for a choice that nothing has. */
export type EngineSource = 'built-in' | 'directory' | 'user-directory' | 'registered' | 'package' | 'none'

/** One engine as a list shows it. Texts are one line each, without control characters. */
export interface EngineEntry {
  /** The engine's name; for what claims no valid one, the name of its folder or package. */
  readonly name: string
  readonly version?: string
  readonly description?: string
  readonly source: EngineSource
  /** The folder of a plugin, absolute, or the name of a package. */
  readonly location?: string
  /** The major version of the contract that the manifest claims. */
  readonly apiVersion?: number
  /** Whether it can be chosen, as far as manifests tell: only `resolve` imports it. */
  readonly available: boolean
  /** Why it is not available: one line that says what to do. */
  readonly reason?: string
  /** Set on the entry that the choice of `list` means. */
  readonly chosen?: true
}

/** An engine that the host brings. */
export interface BuiltInEngine {
  /** Kebab-case. */
  readonly name: string
  readonly version: string
  readonly description: string
  /** Called when the engine is chosen, not before; an import of its module will do. */
  load(): Promise<EngineDefinition | { readonly default: EngineDefinition }>
}

export interface EngineDiscoveryOptions {
  /** The folder of `config.yaml`, absolute: it holds `plugins/context_engine/` and `package.json`. */
  readonly root: string
  /** The user's own folder, absolute: its `plugins/context_engine/` comes after that of `root`. Default: none. */
  readonly userRoot?: string | undefined
  /** Must contain the engine `compressor`. Their names cannot be taken by anything else. */
  readonly builtIn: readonly BuiltInEngine[]
  /**
   * The time limit for loading an engine's module, in milliseconds. Default 10,000. A module that never leaves a
   * loop cannot be stopped, because it holds the whole process.
   */
  readonly loadTimeoutMs?: number
}

export interface ResolvedEngine {
  readonly definition: EngineDefinition
  /** The engine that runs: the built-in compressor's when the chosen one cannot. */
  readonly entry: EngineEntry
  /**
   * `engine-not-found` or `engine-unavailable` when the chosen engine does not run; `engine-not-registered` for what
   * its plugin registered besides it.
   */
  readonly warnings: readonly Warning[]
}

/** The argument of a plugin's `register(ctx)`. */
export interface PluginContext {
  /**
   * Registers the plugin's engine, whose name must be that of the manifest. A plugin has one: another one, or what
   * `defineContextEngine` did not return, is refused with the warning `engine-not-registered`, which is returned.
   */
  registerContextEngine(definition: EngineDefinition): Warning | undefined
}

export interface EngineDiscovery {
  /**
   * Adds an engine from code. A host may add several and let the configuration choose. The same definition again is
   * fine; a different one of a name that is taken is refused with the warning `engine-name-taken`.
   *
   * @throws InvalidEngineError for a value that `defineContextEngine` did not return.
   */
  registerContextEngine(definition: EngineDefinition): Warning | undefined
  /**
   * All engines, by source in the order of `EngineSource`, and by name within each. Reads manifests and imports
   * nothing. With a `choice` (`context.engine`), the entry that it means is marked, and shown even when nothing has it.
   */
  list(options?: { readonly choice?: string | undefined }): Promise<EngineEntry[]>
  /** Resolves a choice: the name of an engine, else the name of a package that has one. */
  find(choice: string): Promise<EngineEntry | undefined>
  /**
   * Loads what a choice means. When that fails, the built-in compressor with a warning, or with `strict` an error.
   *
   * @throws UnknownEngineError with `strict`, when nothing has the name.
   * @throws EngineUnavailableError with `strict`, when the engine cannot be used; always when the compressor cannot.
   */
  resolve(choice: string, options?: { readonly strict?: boolean | undefined }): Promise<ResolvedEngine>
}
