import type { ContextEngine } from '../spec/v1/context-engine.ts'
import type { ToolSchema } from '../spec/v1/tool-schema.ts'
import type { EngineGuard } from './engine-guard.ts'
import type { WarningLog } from './warning-log.ts'

/**
 * The engine's tools that can be offered beside the host's. Providers refuse two tools of one name, so a tool
 * whose name is taken is left out, with a warning; a tool without a name too.
 */
export function engineTools(
  hostTools: readonly ToolSchema[],
  engine: ContextEngine,
  guard: EngineGuard,
  warnings: WarningLog,
): ToolSchema[] {
  const names = new Set(hostTools.map(nameOf))
  return guard
    .call('toolSchemas', [], () => [...engine.toolSchemas()])
    .filter((tool) => {
      const { name } = tool.function
      const isOffered = name !== '' && !names.has(name)
      if (isOffered) names.add(name)
      else {
        const why = name === '' ? 'it has no name' : `the name "${name}" is taken`
        warnings.say({ code: 'tool-skipped', message: `a tool of "${engine.name}" is not offered: ${why}` })
      }
      return isOffered
    })
}

/** The name of a host's tool, whatever kind of tool its provider knows. */
function nameOf(tool: ToolSchema & { readonly custom?: { readonly name?: unknown } }): unknown {
  return tool.function?.name ?? tool.custom?.name
}

/**
 * The engine's tools for a framework that registers tools once, before there is a request: those that have a name. None of
 * an engine that fails to say them, which a session tells of when it prepares a request.
 */
export function declaredTools(engine: ContextEngine): readonly ToolSchema[] {
  try {
    return engine.toolSchemas().filter((tool) => nameOf(tool) !== '')
  } catch {
    return []
  }
}
