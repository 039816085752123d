import { isEngineDefinition } from '../engine/define-context-engine.ts'
import { InvalidEngineError } from '../errors/invalid-engine-error.ts'
import { abortable } from '../session/abortable.ts'
import type { EngineDefinition } from '../spec/engine-definition.ts'
import { checkDefinition } from './check-definition.ts'

/**
 * The definition that a module exports by default, or that a built-in hands over, checked. In an object, because a
 * definition with a member `then` would be awaited.
 *
 * @param name what the manifest calls the engine.
 * @throws InvalidEngineError
 */
export async function loadDefinition(
  name: string,
  load: () => Promise<unknown>,
  timeoutMs: number,
): Promise<{ readonly definition: EngineDefinition }> {
  const loaded = await inTime(load, timeoutMs)
  const definition = isEngineDefinition(loaded) ? loaded : defaultExport(loaded)
  const { name: defined } = checkDefinition(definition)
  if (defined === name) return { definition: definition as EngineDefinition }
  throw new InvalidEngineError(
    `its code defines the engine "${defined}", but its manifest names "${name}"; make the two agree`,
  )
}

function defaultExport(module: unknown): unknown {
  if (typeof module === 'object' && module !== null && 'default' in module) return module.default
  throw new InvalidEngineError(
    'its module has no default export; export defineContextEngine({ … }) by default',
  )
}

async function inTime(load: () => Promise<unknown>, timeoutMs: number): Promise<unknown> {
  const controller = new AbortController()
  // Keeps the process alive: one that waits for nothing else would end in the middle of the import.
  const timer = setTimeout(() => {
    const reason = `it did not finish loading in ${timeoutMs} ms; look for an await at the top level of its modules`
    controller.abort(new InvalidEngineError(reason))
  }, timeoutMs)
  try {
    return await abortable((async () => load())(), controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
