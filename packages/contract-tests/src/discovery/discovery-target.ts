import type { EngineDefinition, Warning } from '@palimpsest/core'

/** A list's entry for one engine. */
export interface ListedEngine {
  readonly name: string
  /** `built-in`, `directory`, `registered` or `package`. */
  readonly source: string
  readonly available: boolean
  /** Why it is not available. */
  readonly reason?: string
}

/** The parts of a host's discovery that the suite calls. What `createEngineDiscovery` of core returns has them. */
export interface DiscoveryUnderTest {
  /** All engines that can be chosen, and those that are broken. */
  list(): Promise<readonly ListedEngine[]>
  /** Adds an engine from code; a warning when it is refused. */
  registerContextEngine(definition: EngineDefinition): Warning | undefined
  /** Resolves a choice: the name of an engine, or of a package that has one. */
  resolve(
    choice: string,
    options?: { readonly strict?: boolean },
  ): Promise<{ readonly definition: EngineDefinition; readonly warnings: readonly Warning[] }>
}

/** A host's discovery as the host hands it to the suite. */
export interface DiscoveryTarget {
  /** Its name in reports. */
  readonly name: string
  /**
   * A new discovery for the application in a folder, with the built-in engine `compressor`. Give it a short limit
   * for modules that never finish loading: the suite waits for one, and for no call longer than 20 s.
   */
  create(host: { readonly root: string }): DiscoveryUnderTest
  /** Cases that are left out, by id, each with the reason, which is printed. */
  readonly skip?: Readonly<Record<string, string>>
}
