import { renderTable } from '../../../../packages/contract-tests/test/markdown-tables.ts'
import { configSchema } from '../../../../packages/core/src/discovery.ts'
import { DECISIONS_DEFAULTS, decisionsOptionsSchema } from '../../../../packages/decisions/src/index.ts'
import { LCM_DEFAULTS, lcmOptionsSchema } from '../../../../packages/lcm/src/index.ts'
import { PROVIDERS } from '../../src/models/providers.ts'
import { serveOptionsSchema } from '../../src/serve/serve-options.ts'
import { type Docs, docsOf } from './docs-of.ts'

/** A JSON schema, as far as the schemas of `config.yaml` need it. */
interface Shape {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly additionalProperties?: Shape | boolean
  readonly properties?: Readonly<Record<string, Shape>>
}

interface Block {
  readonly name: string
  readonly schema: { toJSONSchema(options: { unrepresentable: 'any' }): object }
  /** Below the block, where the schema holds more than it. */
  readonly at?: string
  readonly docs: Docs
  readonly defaults?: Readonly<Record<string, number>>
  /** Keys of the schema that a file cannot hold. */
  readonly leftOut?: readonly string[]
}

const docs = (file: string, name: string) => docsOf(new URL(`../../../../${file}`, import.meta.url), name)
const config = docs('packages/core/src/discovery/config/config-schema.ts', 'configSchema')
const decisionsFile = 'packages/decisions/src/engine/options.ts'
const lcmFile = 'packages/lcm/src/engine/options.ts'

/** What compacts inside of `decisions`: a program gives an engine, a file names it. */
const NAMES: Docs = {
  compaction:
    'The engine that replaces old messages: `lcm`, `compressor`, or `own`, one summary by `decisions` itself. Default: `lcm`; with the profile `seed`, `own`.',
}

const BLOCKS: readonly Block[] = [
  { name: 'context', schema: configSchema, at: 'context', docs: config },
  {
    name: 'compression',
    schema: configSchema,
    at: 'compression',
    docs: {
      ...prefixed('compression', docs('packages/compressor/src/options.ts', 'compressorOptionsSchema')),
      ...config,
    },
  },
  {
    name: 'lcm',
    schema: lcmOptionsSchema(),
    docs: { ...docs(lcmFile, 'LCM_DEFAULTS'), ...docs(lcmFile, 'lcmOptionsSchema') },
    defaults: LCM_DEFAULTS,
  },
  {
    name: 'decisions',
    schema: decisionsOptionsSchema(),
    docs: {
      ...docs(decisionsFile, 'DECISIONS_DEFAULTS'),
      ...docs(decisionsFile, 'decisionsOptionsSchema'),
      ...NAMES,
    },
    defaults: DECISIONS_DEFAULTS,
    leftOut: ['extraction_model'],
  },
  { name: 'auxiliary.compression', schema: configSchema, at: 'auxiliary.compression', docs: config },
  { name: 'prompt_caching', schema: configSchema, at: 'prompt_caching', docs: config },
  { name: 'store', schema: configSchema, at: 'store', docs: config },
  {
    name: 'serve',
    schema: serveOptionsSchema,
    docs: docs('apps/palimpsest/src/serve/serve-options.ts', 'serveOptionsSchema'),
  },
]

/** The generated sections of `docs/configuration.md`, by name. */
export function configurationSections(): Readonly<Record<string, string>> {
  const blocks = BLOCKS.map((block) => [`keys of ${block.name}`, renderBlock(block)])
  const rows = Object.entries(PROVIDERS).map(([name, { key, summaries }]) =>
    [name, key, summaries.model].map((text) => `\`${text}\``),
  )
  return {
    ...Object.fromEntries(blocks),
    providers: renderTable(['provider', 'key', 'model without `model:`'], rows),
  }
}

function renderBlock({ schema, at, docs, defaults = {}, leftOut = [] }: Block): string {
  const path = at?.split('.') ?? []
  const shape = path.reduce(
    (shape: Shape | undefined, key) => shape?.properties?.[key],
    schema.toJSONSchema({ unrepresentable: 'any' }) as Shape,
  )
  const rows = keysOf(shape ?? {}, '').filter(([key]) => !leftOut.includes(key.split('.')[0] ?? ''))
  return renderTable(
    ['key', 'type', 'default', 'meaning'],
    rows.map(([key, member]) => {
      const doc = docs[[...path, key].join('.')]
      if (doc === undefined) throw new Error(`${[...path, key].join('.')} has no docstring`)
      const { meaning, told } = splitDefault(doc)
      const value = String(
        defaults[key] ?? (typeof member.default === 'object' ? told : (member.default ?? told)),
      )
      return [
        `\`${key}\``,
        typeOf(member),
        /^(?!none$)[\w.,]+$/.test(value) ? `\`${value}\`` : value,
        meaning,
      ]
    }),
  )
}

/** All keys below an object, those of objects inside of it as `upstream.base_url`. */
function keysOf({ properties = {} }: Shape, before: string): [string, Shape][] {
  return Object.entries(properties).flatMap(([key, member]): [string, Shape][] => {
    if (before === '' && key in NAMES) return [[key, {}]]
    return member.properties === undefined ? [[before + key, member]] : keysOf(member, `${before}${key}.`)
  })
}

function typeOf(shape: Shape): string {
  if (shape.enum !== undefined) return shape.enum.map((word) => `\`${word}\``).join(', ')
  if (shape.type === 'boolean') return '`true` or `false`'
  if (shape.type === 'object') return 'map'
  if (shape.format === 'uri') return 'address'
  if (shape.type === undefined || shape.type === 'string') return 'text'
  return [shape.type === 'integer' ? 'whole number' : 'number', ...boundsOf(shape)].join(' ')
}

/** Bounds that say something: those of every whole number do not. */
function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Shape): string[] {
  const above = exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]
  const below =
    exclusiveMaximum === undefined || isHuge(exclusiveMaximum) ? [] : [`below ${exclusiveMaximum}`]
  const from = minimum === undefined || isHuge(minimum) ? [] : [`from ${minimum}`]
  const to = maximum === undefined || isHuge(maximum) ? [] : [`to ${maximum}`]
  return [...above, ...from, ...below, ...to]
}

function isHuge(bound: number): boolean {
  return Math.abs(bound) >= Number.MAX_SAFE_INTEGER
}

/** A docstring's last sentence says the default where none is a value. */
function splitDefault(doc: string): { readonly meaning: string; readonly told: string } {
  const at = doc.search(/(?:^|\s)Default:? /)
  if (at < 0) return { meaning: doc, told: 'none' }
  const told = doc
    .slice(at)
    .trim()
    .replace(/^Default:? /, '')
    .replace(/\.$/, '')
  return { meaning: doc.slice(0, at).trim(), told }
}

function prefixed(block: string, docs: Docs): Docs {
  return Object.fromEntries(Object.entries(docs).map(([key, doc]) => [`${block}.${key}`, doc]))
}
