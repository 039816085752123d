import { InvalidOptionError } from '../../errors/errors.ts'
import { isObject } from '../../messages/json-value.ts'
import { closestName, describeUnknownKey, parseOptions, schemaKeys } from '../../options/parse-options.ts'
import type { Warning } from '../../spec/v1/index.ts'
import { type Config, configSchema, SUMMARY_PROVIDERS } from './config-schema.ts'
import { readYaml } from './read-yaml.ts'

export interface ParseConfigOptions {
  readonly engines?: readonly string[]
  /** The file name in errors. Default `config.yaml`. */
  readonly fileName?: string
  readonly base?: string | undefined
  /** The name of that one's file in warnings. Default: that of `fileName`. */
  readonly baseName?: string | undefined
}

/**
 * Parses the text of a `config.yaml`. Missing keys, and keys without a value, get their defaults. Blocks of other
 * programs are ignored. Misspelt keys, and keys that only Hermes Agent uses, produce warnings.
 *
 * @throws InvalidOptionError that names the path (or the line, if the text is not YAML) and the fix.
 */
export function parseConfig(text: string, options: ParseConfigOptions = {}): Config {
  const { engines: names = [], fileName = 'config.yaml', base = '', baseName = fileName } = options
  const before = readYaml(base, { fileName: baseName }).content
  const own = readYaml(text, { fileName }).content
  const content = merge(before, own)
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
  warnings.push(...unusedKeys(before, names, baseName), ...unusedKeys(own, names, fileName))
  const { blocks, faults } = withKnownProviders(takeSeedKeys(Object.fromEntries(known)).blocks)
  warnings.push(...faults)
  return { ...parseOptions(configSchema, blocks, ''), engines: Object.fromEntries(engines), warnings }
}

type Blocks = Readonly<Record<string, unknown>>

/** The keys of one file that another program has and that have no effect here. */
function unusedKeys(content: Blocks, engines: readonly string[], fileName: string): Warning[] {
  const models = MODEL_BLOCKS.filter((key) => !engines.includes(key) && !isUnset(content[key]))
  const keys = [...models, ...takeSeedKeys(content).taken]
  if (keys.length === 0) return []
  const message = `keys without effect here: ${keys.join(', ')} (in ${fileName})`
  return [{ code: 'key-without-effect', message }]
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

/**
 * Removes the keys of shared blocks that only Hermes Agent uses. A key close to one of ours stays, so that the typo is
 * reported.
 */
function takeSeedKeys(blocks: Blocks): { readonly blocks: Blocks; readonly taken: readonly string[] } {
  const taken: string[] = []
  const clean = (value: unknown, path: readonly string[]): unknown => {
    if (!isObject(value)) return value
    const known = schemaKeys(configSchema, path)
    if (known.length === 0) return value
    const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      const at = [...path, key]
      if (known.includes(key) || closestName(key, known) !== undefined) return [[key, clean(member, at)]]
      if (!isUnset(member)) taken.push(at.join('.'))
      return []
    })
    return Object.fromEntries(entries)
  }
  const cleaned = Object.entries(blocks).map(([block, value]) => [
    block,
    SEED_BLOCKS.includes(block) ? clean(value, [block]) : value,
  ])
  return { blocks: Object.fromEntries(cleaned), taken }
}

/** Files of Hermes Agent have many keys without a value. */
function isUnset(value: unknown): boolean {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return value === null || value === undefined || value === '' || isEmpty
}

/**
 * Treats a provider that this version cannot call, and the settings for it, as not set, unless the block has its
 * address. A name close to one of ours stays and is an error.
 */
function withKnownProviders(blocks: Blocks): {
  readonly blocks: Blocks
  readonly faults: readonly Warning[]
} {
  const { auxiliary } = blocks
  if (!isObject(auxiliary)) return { blocks, faults: [] }
  const faults: Warning[] = []
  const cleaned = Object.entries(auxiliary).map(([task, block]) => {
    const { provider, model: _, api_key: __, key_env: ___, ...rest } = isObject(block) ? block : {}
    const isForeign =
      typeof provider === 'string' &&
      provider !== '' &&
      !SUMMARY_PROVIDERS.some((known) => known === provider) &&
      closestName(provider, SUMMARY_PROVIDERS) === undefined
    if (!isObject(block) || !isForeign) return [task, block]
    if (!isUnset(block.base_url)) return [task, { ...block, provider: 'custom' }]
    const path = `auxiliary.${task}`
    faults.push({
      code: 'provider-unknown',
      message: `${path}.provider: ${JSON.stringify(provider)} is not known here, and the default is used in its place; for another service with OpenAI's API, write provider: custom, and its base_url, model and key_env`,
    })
    return [task, rest]
  })
  return { blocks: { ...blocks, auxiliary: Object.fromEntries(cleaned) }, faults }
}

const SEED_BLOCKS = ['auxiliary', 'compression', 'context', 'prompt_caching']
/** Hermes Agent's names for the answering model, which the application chooses here. */
const MODEL_BLOCKS = ['model', 'providers', 'custom_providers', 'fallback_model', 'fallback_providers']
