import type { ContextEngineV1 } from '../spec/context-engine.ts'
import type { ToolSchema } from '../spec/tool-schema.ts'
import type { EngineGuard } from './engine-guard.ts'
import type { WarningLog } from './warning-log.ts'

/**
 * The host's tools and behind them the engine's. Providers refuse two tools of one name, so a tool of the engine
 * whose name the host uses already is left out, with a warning.
 */
export function joinTools(
  hostTools: readonly ToolSchema[],
  engine: ContextEngineV1,
  guard: EngineGuard,
  warnings: WarningLog,
): ToolSchema[] {
  const tools = [...hostTools]
  const names = new Set(hostTools.map((tool) => tool.function?.name))
  for (const tool of guard.call('toolSchemas', [], () => [...engine.toolSchemas()])) {
    const name: unknown = tool?.function?.name
    if (typeof name === 'string' && !names.has(name)) {
      names.add(name)
      tools.push(tool)
    } else {
      const what = typeof name === 'string' ? `the name "${name}" is taken` : 'it has no name'
      warnings.say({ code: 'tool-skipped', message: `a tool of "${engine.name}" is not offered: ${what}` })
    }
  }
  return tools
}
