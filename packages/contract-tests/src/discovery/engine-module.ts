/** What `defineContextEngine` marks its definitions with, in every copy of core. */
const BRAND = 'palimpsest.context-engine'

export interface EngineModule {
  readonly name: string
  /** Tells this engine from others of its name: its description, and the trace of its module. */
  readonly mark: string
  /** What its code claims. Default 1. */
  readonly apiVersion?: number
  /** The key in `globalThis` under which loaded modules leave their marks. */
  readonly traces: string
}

/** The text of a module that needs no other one: it leaves a trace when it is loaded, and exports an engine. */
export function engineModule({ name, mark, apiVersion = 1, traces }: EngineModule): string {
  return `(globalThis[${JSON.stringify(traces)}] ??= []).push(${JSON.stringify(mark)})

const definition = {
  name: ${JSON.stringify(name)},
  apiVersion: ${apiVersion},
  description: ${JSON.stringify(mark)},
  create() {
    throw new Error('discovery creates no engine')
  },
}

export default Object.defineProperty(definition, Symbol.for(${JSON.stringify(BRAND)}), { value: ${apiVersion} })
`
}
