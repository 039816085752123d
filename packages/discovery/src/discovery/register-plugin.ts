import type { EngineDefinition, Warning } from '@palimpsest/core'
import { InvalidEngineError } from '@palimpsest/core'
import { checkDefinition } from './check-definition.ts'
import type { PluginContext } from './discovery-types.ts'
import { errorLine } from './one-line.ts'

/** A plugin's function that registers its engine. */
export type RegisterPlugin = (context: PluginContext) => unknown

/**
 * Lets a plugin register its engine. The first one counts; another one, and what is no engine, is refused with a warning.
 *
 * @param name what the manifest calls the engine.
 * @throws InvalidEngineError when it registered none, and what `register` throws.
 */
export async function registerPlugin(
  register: RegisterPlugin,
  name: string,
): Promise<{ readonly definition: EngineDefinition; readonly warnings: readonly Warning[] }> {
  let definition: EngineDefinition | undefined
  const warnings: Warning[] = []
  const refuse = (why: string): Warning => {
    const message = `the plugin "${name}" registered ${why}`
    const warning = { code: 'engine-not-registered', message }
    warnings.push(warning)
    return warning
  }
  await register({
    registerContextEngine(given) {
      if (given === definition) return undefined
      try {
        const { name: another } = checkDefinition(given)
        if (definition !== undefined)
          return refuse(`a second engine, "${another}"; a plugin has one, the first counts`)
      } catch (error) {
        return refuse(`something that is no engine: ${errorLine(error)}`)
      }
      definition = given
      return undefined
    },
  })
  if (definition !== undefined) return { definition, warnings }
  const [warning] = warnings
  throw new InvalidEngineError(
    `${warning?.message ?? 'its register(ctx) registered no engine'}; call ctx.registerContextEngine(defineContextEngine({ … }))`,
  )
}
