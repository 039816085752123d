import type { EngineDefinition, Warning } from '@palimpsest/core'
import type { Candidate } from './candidate.ts'
import { checkDefinition } from './check-definition.ts'
import { API_VERSION } from './engine-manifest.ts'

/** The engines that were registered in code, at most one of a name. */
export interface EngineRegistry {
  /**
   * Returns the warning that refuses a name that is taken.
   *
   * @throws InvalidEngineError for what `defineContextEngine` did not return.
   */
  register(definition: EngineDefinition): Warning | undefined
  candidates(): Candidate[]
}

/** @param builtIn names that are taken; an engine that claims one of them is kept for the list only. */
export function createEngineRegistry(builtIn: readonly string[]): EngineRegistry {
  const registered = new Map<
    string,
    { readonly definition: EngineDefinition; readonly candidate: Candidate }
  >()
  return {
    register(definition) {
      const facts = checkDefinition(definition)
      const { name } = facts
      const known = registered.get(name)
      if (known === undefined) {
        const entry = { ...facts, apiVersion: API_VERSION, source: 'registered', available: true } as const
        const load = async () => ({ default: definition })
        registered.set(name, { definition, candidate: { entry, claim: name, load } })
      }
      if (builtIn.includes(name)) return refusal(name, 'a built-in engine')
      const isFree = known === undefined || known.definition === definition
      return isFree ? undefined : refusal(name, 'another registered engine')
    },
    candidates: () => Array.from(registered.values(), ({ candidate }) => candidate),
  }
}

function refusal(name: string, owner: string): Warning {
  return {
    code: 'engine-name-taken',
    message: `an engine named "${name}" was not registered, because the name belongs to ${owner}; give it another name`,
  }
}
