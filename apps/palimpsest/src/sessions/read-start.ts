import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorText, isObject, type Loose } from '@palimpsest/core'
import { databasePlace, listAgentSessions, readHead } from '@palimpsest/transcripts'
import type { SessionFile } from './find-session-files.ts'
import { parseJson, parseObject } from './parse-object.ts'

const START_BYTES = 128 * 1024

interface FileStart {
  readonly lines: readonly Loose[]
  readonly goesOn: boolean
  readonly problem?: string
}

/**
 * Reads the first complete lines of JSON, a document's first messages, or the same facts of a database. Never rejects.
 */
export async function readStart(
  { agent, path }: Pick<SessionFile, 'agent' | 'path'>,
  bytes = START_BYTES,
): Promise<FileStart> {
  try {
    const place = databasePlace(path)
    if (place !== undefined) {
      const [session] = await listAgentSessions(place.database, place.id)
      return {
        lines:
          session === undefined
            ? []
            : [{ cwd: session.directory, message: { role: 'user', content: session.began } }],
        goesOn: false,
      }
    }
    const { text, goesOn } = await readHead(path, bytes)
    if (agent === 'aider') return { lines: aiderStart(text, dirname(path)), goesOn }
    const start = /\.json$/.test(path) ? documentStart(text, goesOn) : parseStart(text, goesOn)
    if (agent !== 'gemini-cli') return start
    const root = await readFile(join(dirname(dirname(path)), '.project_root'), 'utf8').catch(() => '')
    return root === '' ? start : { ...start, lines: [{ cwd: root.trim() }, ...start.lines] }
  } catch (error) {
    const { code } = (error as { readonly cause?: NodeJS.ErrnoException }).cause ?? {}
    const reason = code?.startsWith('E') ? code : errorText(error).replace(path, 'it')
    return { lines: [], goesOn: false, problem: `cannot be read (${reason})` }
  }
}

function aiderStart(text: string, cwd: string): Loose[] {
  const [, asked] = /^#### (.+)$/m.exec(text) ?? []
  return [{ cwd }, ...(asked === undefined ? [] : [{ message: { role: 'user', content: asked } }])]
}

function parseStart(text: string, goesOn: boolean): FileStart {
  if (text.trim() === '') return { lines: [], goesOn, problem: 'empty' }
  const texts = text.split('\n')
  if (goesOn) texts.pop()
  const lines = texts.map(parseObject).filter((line) => line !== undefined)
  // A line may be longer than the bytes read.
  const problem =
    lines.length === 0 && texts.length > 0 ? { problem: 'no session: its lines are not JSON' } : {}
  return { lines, goesOn, ...problem }
}

function documentStart(text: string, goesOn: boolean): FileStart {
  if (text.trim() === '') return { lines: [], goesOn, problem: 'empty' }
  const value = goesOn ? closedJson(text) : parseJson(text)
  const { messages = value } = isObject(value) ? value : { messages: value }
  if (!Array.isArray(messages)) return { lines: [], goesOn, problem: 'no session: it is not JSON' }
  return { lines: [...(isObject(value) ? [value] : []), ...messages.filter(isObject)], goesOn }
}

function closedJson(text: string): unknown {
  const open: string[] = []
  let whole = ''
  for (let at = 0, inText = false; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (inText) {
      if (sign === '\\') at++
      else if (sign === '"') inText = false
    } else if (sign === '"') inText = true
    else if (sign === '{' || sign === '[') open.push(sign === '{' ? '}' : ']')
    else if (sign === '}' || sign === ']') open.pop()
    // A message ends here if only the list and its containers are open.
    if (!inText && sign === '}' && open.at(-1) === ']')
      whole = text.slice(0, at + 1) + open.toReversed().join('')
  }
  return parseJson(whole)
}
