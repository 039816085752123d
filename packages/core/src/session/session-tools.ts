import type { ContextEngineV1 } from '../spec/context-engine.ts'
import type { ToolSchema } from '../spec/tool-schema.ts'
import type { EngineGuard } from './engine-guard.ts'
import type { WarningLog } from './warning-log.ts'

/**
 * The engine's tools that can be offered beside the host's. Providers refuse two tools of one name, so a tool
 * whose name is taken is left out, with a warning; a tool without a name too.
 */
export function engineTools(
  hostTools: readonly ToolSchema[],
  engine: ContextEngineV1,
  guard: EngineGuard,
  warnings: WarningLog,
): ToolSchema[] {
  const names = new Set(hostTools.map((tool) => tool.function?.name))
  return guard
    .call('toolSchemas', [], () => [...engine.toolSchemas()])
    .filter((tool) => {
      const name: unknown = tool?.function?.name
      const isOffered = typeof name === 'string' && !names.has(name)
      if (isOffered) names.add(name)
      else {
        const why = typeof name === 'string' ? `the name "${name}" is taken` : 'it has no name'
        warnings.say({ code: 'tool-skipped', message: `a tool of "${engine.name}" is not offered: ${why}` })
      }
      return isOffered
    })
}
