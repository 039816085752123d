import { type Message, messageText, toolCallInput, toolCallsOf } from '@palimpsest/core'
import { resultStatus } from '@palimpsest/extractive'
import { slotOfValue } from '../slots/slots.ts'

const INSTALL =
  /(?:^|[\s;&|("'])(?:npm (?:i|install|add)|pnpm (?:add|i|install)|yarn (?:global )?add|bun (?:add|i|install)|deno add|(?:python3? -m )?pip3? install|uv (?:add|pip install)|poetry add|pipenv install|pdm add|conda install|cargo (?:add|install)|go (?:get|install)|gem install|bundle add|composer require|dotnet add package|mix igniter\.install)((?:\s+[^\s;&|<>`]+){1,24})/g
/** What package managers print when they put something in place. */
const INSTALLED =
  /\b(?:added \d+ packages?|successfully installed|requirement already satisfied|adding \S+ (?:to|v?\d)|installed \S+|packages: \+\d+|dependencies:|success saved|using version|updating \S+ index|go: added|done in \d)|^\+ \S+/im
const BROKEN = /\b(?:npm err!|err_pnpm|error:|could not|no matching distribution|not found|failed)\b/i
const MAX_INSTALLS = 8

/** The technologies that a tool's result proves to be installed: the slots and names that the dictionary knows. */
export function readInstalls(result: Message, owner: Message | undefined): { slot: string; value: string }[] {
  if (owner === undefined || result.role !== 'tool') return []
  const output = messageText(result).slice(0, 20_000)
  const status = resultStatus(result, owner)
  if (status === 'failed' || BROKEN.test(output) || (status === undefined && !INSTALLED.test(output)))
    return []
  const call = toolCallsOf(owner).find(({ id }) => id === result.tool_call_id)
  if (call === undefined) return []
  const command = commandOf(toolCallInput(call).slice(0, 8192))
  const found: { slot: string; value: string }[] = []
  for (const [, words = ''] of command.matchAll(INSTALL))
    for (const word of words.trim().split(/\s+/)) {
      const known = word.startsWith('-') ? undefined : packageOf(word.replace(/["']/g, ''))
      if (
        known !== undefined &&
        found.length < MAX_INSTALLS &&
        !found.some(({ value }) => value === known.value)
      )
        found.push(known)
    }
  return found
}

/** The text of a shell command; its quotes and line breaks, if it is JSON, are what they stand for. */
function commandOf(input: string): string {
  try {
    const value: unknown = JSON.parse(input)
    if (typeof value === 'string') return value
    if (typeof value !== 'object' || value === null) return ''
    return ['command', 'cmd', 'script', 'input', 'commands']
      .flatMap((key) => (Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined))
      .filter((text) => typeof text === 'string')
      .join(' ')
  } catch {
    return input
  }
}

/** `express@4`, `psycopg2-binary==2.9`, `@prisma/client`, `github.com/gin-gonic/gin@latest`. */
function packageOf(word: string): { slot: string; value: string } | undefined {
  const bare = word.replace(/(?<=.)@.*$|\[.*$|[=<>~!^].*$/g, '').toLowerCase()
  const [scope = '', name = ''] = bare.startsWith('@') ? bare.slice(1).split('/') : ['', bare]
  if (/^@?types\b|^\.|^\/|^file:/.test(bare.replace('@', ''))) return undefined
  const last = name.split('/').at(-1) ?? name
  const candidates = [
    bare,
    name,
    last,
    last.replace(/-(?:binary|core|client|cli|js|server)$/, ''),
    scope,
    `${scope}js`,
  ]
  const known = candidates.map((each) => (each.length > 1 ? slotOfValue(each) : undefined)).find(Boolean)
  // A package for a language is no proof that the project is written in it; a compiler is.
  return known?.slot === 'language' && bare !== 'typescript' ? undefined : known
}
