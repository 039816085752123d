import type { EngineDefinition, Warning } from '../spec/v1/index.ts'

/** The sources of engines, in lookup order. `none` means that nothing has the chosen name. */
export type EngineSource = 'built-in' | 'directory' | 'user-directory' | 'registered' | 'package' | 'none'

/** An engine as listings show it. Texts are single lines without control characters. */
export interface EngineEntry {
  /** The engine's name, or the folder or package name if the engine has no valid one. */
  readonly name: string
  readonly version?: string
  readonly description?: string
  readonly source: EngineSource
  /** The plug-in's absolute folder, or the package name. */
  readonly location?: string
  /** The major version of the contract that the manifest declares. */
  readonly apiVersion?: number
  /** True if the manifests are valid. Only `resolve` imports the engine. */
  readonly available: boolean
  /** The reason why it is not available, with the fix, in one line. */
  readonly reason?: string
  readonly chosen?: true
}

/** An engine that the host provides. */
export interface BuiltInEngine {
  /** Kebab-case. */
  readonly name: string
  readonly version: string
  readonly description: string
  /** Called only when the engine is chosen; may import its module. */
  load(): Promise<EngineDefinition | { readonly default: EngineDefinition }>
}

export interface EngineDiscoveryOptions {
  /** Absolute path of the folder of `config.yaml`, which holds `plugins/context_engine/` and `package.json`. */
  readonly root: string
  /**
   * Absolute path of the user's folder, whose `plugins/context_engine/` is searched after that of `root`. Default:
   * none.
   */
  readonly userRoot?: string | undefined
  /** Must contain the engine `compressor`. Nothing else can take these names. */
  readonly builtIn: readonly BuiltInEngine[]
  /**
   * Time limit for loading an engine's module, in milliseconds. Default 10,000. It cannot stop a module that blocks the
   * event loop.
   */
  readonly loadTimeoutMs?: number
}

export interface ResolvedEngine {
  readonly definition: EngineDefinition
  /** The engine that runs: the compressor if the chosen one cannot run. */
  readonly entry: EngineEntry
  /**
   * `engine-not-found` or `engine-unavailable` if the chosen engine does not run; `engine-not-registered` for extra
   * registrations of its plug-in.
   */
  readonly warnings: readonly Warning[]
}

/** The argument of a plugin's `register(ctx)`. */
export interface PluginContext {
  /**
   * Registers the plug-in's engine, whose name must match the manifest. A second engine, or a value that
   * `defineContextEngine` did not return, is refused; the returned warning is `engine-not-registered`.
   */
  registerContextEngine(definition: EngineDefinition): Warning | undefined
}

export interface EngineDiscovery {
  /**
   * Registers an engine from code. A host may register several; the configuration chooses one. Registering the same
   * definition twice is allowed. A different definition of a taken name is refused with the warning
   * `engine-name-taken`.
   *
   * @throws InvalidEngineError for a value that `defineContextEngine` did not return.
   */
  registerContextEngine(definition: EngineDefinition): Warning | undefined
  /**
   * Lists all engines, sorted by `EngineSource` and then by name, without importing anything. The entry that `choice`
   * (`context.engine`) names is marked, and listed even if nothing has the name.
   */
  list(options?: { readonly choice?: string | undefined }): Promise<EngineEntry[]>
  /** Finds an engine by its name, or else by its package's name. */
  find(choice: string): Promise<EngineEntry | undefined>
  /**
   * Loads the chosen engine. On failure it returns the compressor with a warning, or throws with `strict`.
   *
   * @throws PalimpsestError `UNKNOWN_ENGINE` with `strict`, if nothing has the name.
   * @throws PalimpsestError `ENGINE_UNAVAILABLE` with `strict`, if the engine cannot be used; always if the compressor cannot.
   */
  resolve(choice: string, options?: { readonly strict?: boolean | undefined }): Promise<ResolvedEngine>
}
