import { relative } from 'node:path'
import { parseConfig } from '@palimpsest/core/config'
import { colors } from '../colors.ts'
import { reportFailure } from '../report-failure.ts'
import { blockNames, type ConfigFile } from './configuration.ts'
import { columns, describeEntry } from './engine-lines.ts'

/**
 * The engines that are there, the chosen one marked, as a table or as JSON. Loads none of them. What is wrong with the
 * configuration goes to stderr: a list helps to mend it.
 */
export async function listEngines(
  { path, exists, text, choice, isNamed, discovery }: ConfigFile,
  { json = false }: { readonly json?: boolean },
): Promise<string> {
  const engines = await discovery.list({ choice })
  try {
    parseConfig(text, { engines: blockNames(text, engines), fileName: path })
  } catch (error) {
    reportFailure(error)
  }
  if (json) return `${JSON.stringify({ choice, config: exists ? path : null, engines }, undefined, 2)}\n`
  const rows = engines.map((entry) => [
    entry.chosen ? '*' : ' ',
    entry.name,
    entry.version ?? '-',
    entry.source === 'none' ? '-' : entry.source,
    describeEntry(entry),
  ])
  const file = relative(process.cwd(), path) || path
  const from = isNamed
    ? `chosen in ${file}`
    : `the default: ${exists ? `${file} names no engine` : 'there is no config.yaml'}`
  return `${columns([[' ', 'NAME', 'VERSION', 'SOURCE', 'DESCRIPTION'], ...rows])}\n${colors.dim(`* ${from}`)}\n`
}
