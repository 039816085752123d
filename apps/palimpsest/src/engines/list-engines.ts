import { relative } from 'node:path'
import { colors } from '../colors.ts'
import type { ConfigFile } from './configuration.ts'
import { columns, describeEntry } from './engine-lines.ts'

/** The engines that are there, the chosen one marked, as a table or as JSON. Loads none of them. */
export async function listEngines(
  { path, exists, choice, discovery }: ConfigFile,
  { json = false }: { readonly json?: boolean },
): Promise<string> {
  const engines = await discovery.list({ choice })
  if (json) return `${JSON.stringify({ choice, config: exists ? path : null, engines }, undefined, 2)}\n`
  const rows = engines.map((entry) => [
    entry.chosen ? '*' : ' ',
    entry.name,
    entry.version ?? '-',
    entry.source === 'none' ? '-' : entry.source,
    describeEntry(entry),
  ])
  const from = exists
    ? `chosen in ${relative(process.cwd(), path) || path}`
    : 'the default: there is no config.yaml'
  return `${columns([[' ', 'NAME', 'VERSION', 'SOURCE', 'DESCRIPTION'], ...rows])}\n${colors.dim(`* ${from}`)}\n`
}
