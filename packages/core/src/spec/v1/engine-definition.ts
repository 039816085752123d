import type { ContextEngine, Ingest } from './context-engine.ts'
import type { EngineHost } from './engine-host.ts'
import type { FlatToolSchema, ToolSchema } from './tool-schema.ts'
import type { Warning } from './warning.ts'

/** The members that an engine must write itself; everything else has a default. */
type RequiredParts = Pick<ContextEngine, 'shouldCompress' | 'compress'>

/** The result of `create`: two functions are enough. */
export type EngineParts = RequiredParts &
  Partial<Omit<ContextEngine, keyof RequiredParts | 'apiVersion' | 'name' | 'toolSchemas' | 'ingest'>> & {
    /** Few engines have anything to say of what they take. */
    ingest?(input: Ingest): Promise<void> | Promise<readonly Warning[]>
    /** Each tool in the wire shape or without its frame; a whole engine returns the wire shape. */
    toolSchemas?(): readonly (ToolSchema | FlatToolSchema)[]
    /** Other facts for the default of `status`. Serialisable. */
    details?(): Readonly<Record<string, unknown>>
  }

export interface EngineDefinitionInput<Options> {
  /** Kebab-case, unique among the engines of an application. */
  readonly name: string
  /** The version of the contract. */
  readonly apiVersion: 1
  /** One sentence for lists. */
  readonly description: string
  /** Builds one engine for one session. Throws `InvalidOptionError` for an unknown or wrong option. */
  create(options: Options, host: EngineHost): EngineParts
}

/** The default export of an engine's package. */
export interface EngineDefinition<Options = Record<string, unknown>> {
  readonly name: string
  readonly apiVersion: 1
  readonly description: string
  create(options: Options, host: EngineHost): ContextEngine
}
