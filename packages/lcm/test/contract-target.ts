import { join } from 'node:path'
import type { ContractTarget } from '@palimpsest/contract-tests'
import type { ContextEngine } from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/store'
import lcm from '../src/index.ts'

/** Reads the stored JSON text of a message, page by page. */
export async function recall(engine: ContextEngine, _message: unknown, at: number): Promise<string> {
  const id = `m${(await numbersBehindEdits(engine))?.[at] ?? at}`
  let text = ''
  for (let offset = 0; offset !== null; ) {
    const page = await ask(engine, 'lcm_expand', { id, form: 'json', offset })
    text += page.text
    offset = page.next
  }
  return text
}

const known = new WeakMap<ContextEngine, { readonly total: number; readonly numbers: readonly number[] }>()

/** The messages' numbers where an edit replaced some: those keep theirs. Undefined without an edit. */
async function numbersBehindEdits(engine: ContextEngine): Promise<readonly number[] | undefined> {
  const { messages, replaced } = await ask(engine, 'lcm_describe', {})
  if (!(replaced > 0)) return undefined
  const total = messages + replaced
  if (known.get(engine)?.total !== total) {
    const numbers: number[] = []
    for (let seq = 0; seq < total; seq++)
      if (!(await ask(engine, 'lcm_describe', { id: `m${seq}` })).replaced) numbers.push(seq)
    known.set(engine, { total, numbers })
  }
  return known.get(engine)?.numbers
}

async function ask(engine: ContextEngine, name: string, args: object) {
  const answer = JSON.parse(await engine.handleToolCall(name, args))
  if (answer.error !== undefined) throw new Error(answer.error)
  return answer
}

/** For `palimpsest-contract` too, which runs it from this file. */
const target: ContractTarget = {
  name: 'lcm, in a SQLite file',
  create: ({ options, ...host }) => lcm.create({ ...options }, host),
  store: ({ storage }) => createSqliteStore({ path: join(storage, 'sessions.db') }),
  recall,
  expectCapabilities: ['tools', 'pruning', 'summarizer', 'persistence', 'lossless'],
}

export default target
