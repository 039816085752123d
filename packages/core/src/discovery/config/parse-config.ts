import { InvalidOptionError } from '../../errors/errors.ts'
import { isObject } from '../../messages/json-value.ts'
import { closestName, describeUnknownKey, parseOptions, schemaKeys } from '../../options/parse-options.ts'
import type { Warning } from '../../spec/v1/index.ts'
import { type Config, configSchema } from './config-schema.ts'
import { readYaml } from './read-yaml.ts'

export interface ParseConfigOptions {
  /** Engine names that may have a block. Default: none. */
  readonly engines?: readonly string[]
  /** The file name in errors. Default `config.yaml`. */
  readonly fileName?: string
  /** The text of a base configuration, which this one overrides key by key. Default: none. */
  readonly base?: string | undefined
}

/**
 * Parses the text of a `config.yaml`. Missing keys, and keys without a value, get their defaults. Blocks of other
 * programs are ignored. Misspelt keys, and keys that only Hermes Agent uses, produce warnings.
 *
 * @throws InvalidOptionError that names the path (or the line, if the text is not YAML) and the fix.
 */
export function parseConfig(text: string, options: ParseConfigOptions = {}): Config {
  const { engines: names = [], fileName = 'config.yaml', base = '' } = options
  const content = merge(readYaml(base, { fileName }).content, readYaml(text, { fileName }).content)
  const sections = Object.keys(configSchema.shape)
  const engines: [string, Record<string, unknown>][] = []
  const known: [string, unknown][] = []
  const warnings: Warning[] = []
  for (const [key, block] of Object.entries(content)) {
    if (sections.includes(key)) known.push([key, withoutNulls(block) ?? {}])
    else if (names.includes(key)) engines.push([key, engineBlock(key, block)])
    else if (closestName(key, [...sections, ...names]) !== undefined)
      warnings.push({
        code: 'unknown-key',
        message: `${key} has no effect: ${describeUnknownKey(key, [...sections, ...names])}`,
      })
  }
  const { blocks, taken } = takeSeedKeys(Object.fromEntries(known))
  if (taken.length > 0)
    warnings.push({
      code: 'key-without-effect',
      message: `keys without effect here: ${taken.join(', ')}; remove them`,
    })
  return { ...parseOptions(configSchema, blocks, ''), engines: Object.fromEntries(engines), warnings }
}

function merge(
  base: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = Object.entries(own).map(([key, value]): [string, unknown] => {
    const before = Object.hasOwn(base, key) ? base[key] : undefined
    if (!isObject(before)) return [key, value]
    if (value === null) return [key, before]
    return [key, isObject(value) ? merge(before, value) : value]
  })
  return Object.fromEntries([...Object.entries(base), ...merged])
}

function withoutNulls(value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutNulls(member)]))
}

function engineBlock(key: string, block: unknown): Record<string, unknown> {
  const options = withoutNulls(block) ?? {}
  if (typeof options === 'object' && !Array.isArray(options)) return options as Record<string, unknown>
  throw new InvalidOptionError(key, `${key}: expected the options of the engine as keys and values`)
}

type Blocks = Readonly<Record<string, unknown>>

/**
 * Removes the keys of shared blocks that only Hermes Agent uses. A key close to one of ours stays, so that the typo is
 * reported.
 */
function takeSeedKeys(blocks: Blocks): { readonly blocks: Blocks; readonly taken: readonly string[] } {
  const taken: string[] = []
  const cleaned = Object.entries(blocks).map(([block, value]) => {
    if (!isObject(value) || !SEED_BLOCKS.includes(block)) return [block, value]
    const known = schemaKeys(configSchema, [block])
    const isSeed = (key: string) => !known.includes(key) && closestName(key, known) === undefined
    const entries = Object.entries(value)
    taken.push(...entries.flatMap(([key]) => (isSeed(key) ? `${block}.${key}` : [])))
    return [block, Object.fromEntries(entries.filter(([key]) => !isSeed(key)))]
  })
  return { blocks: Object.fromEntries(cleaned), taken }
}

const SEED_BLOCKS = ['auxiliary', 'compression']
