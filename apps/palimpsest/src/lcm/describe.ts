import { colors } from '../colors.ts'
import { columns } from '../engines/engine-lines.ts'
import { withStore } from '../stores/with-store.ts'
import { chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { printable, printableLines } from './printable.ts'
import { type ToolAnswer, toolRunner, wholeAnswer } from './run-tool.ts'

export async function describe(id: string | undefined, flags: SessionFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const run = toolRunner(await chooseSession(opened, flags.session))
    const answer = await wholeAnswer(
      (offset) => run('lcm_describe', { offset, ...(id !== undefined && { id }) }),
      (whole, page) => ({
        ...whole,
        ...(Array.isArray(whole.list) && { list: [...whole.list, ...(page.list as unknown[])] }),
        ...(typeof whole.text === 'string' && { text: `${whole.text}${page.text}` }),
      }),
    )
    if (flags.json) printJson(answer)
    else printLines(...renderFacts(answer))
    return 0
  })
}

const HIDDEN: ReadonlySet<string> = new Set(['offset', 'next', 'list', 'text'])

const LABELS: ReadonlyMap<string, string> = new Map([
  ['from', 'first message'],
  ['to', 'last message'],
  ['ref', 'id'],
  ['host_id', "host's id"],
])

function renderFacts(answer: ToolAnswer): string[] {
  const facts = flat(answer).filter(([key]) => !HIDDEN.has(key))
  const width = Math.max(...facts.map(([key]) => key.length))
  const lines = facts.map(([key, value]) => `${colors.dim(key.padEnd(width))}  ${value}`)
  const { list, text } = answer
  if (Array.isArray(list) && list.length > 0) lines.push('', ...table(list as ToolAnswer[]))
  if (typeof text === 'string') lines.push('', printableLines(text))
  return lines
}

function flat(answer: ToolAnswer, prefix = ''): [string, string][] {
  return Object.entries(answer).flatMap(([key, value]): [string, string][] => {
    const name = `${prefix}${LABELS.get(key) ?? key.replaceAll('_', ' ')}`
    if (typeof value !== 'object' || value === null) return [[name, shown(value)]]
    if (Array.isArray(value)) return [[name, HIDDEN.has(key) ? '' : value.map(shown).join(' ') || '-']]
    return flat(value as ToolAnswer, `${name} `)
  })
}

function table(rows: readonly ToolAnswer[]): string[] {
  const names = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => names.map((name) => shown(row[name])))
  return columns([names.map((name) => name.toUpperCase()), ...cells])
    .trimEnd()
    .split('\n')
}

function shown(value: unknown): string {
  if (value === null) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return value.toLocaleString('en-US')
  return printable(String(value))
}
