import { readFile } from 'node:fs/promises'
import { createContextSession, type Message } from '@palimpsest/core'
import decisionsEngine from '@palimpsest/decisions'
import { type Label, readLabel } from './labelled-set.ts'
import { type Finding, scoreMessage, total } from './score-set.ts'

const RECORD_PARTS = ['dev', 'held-out'] as const

/** A short conversation, and what a careful reader has on record at its end. */
interface Spoken {
  readonly id: string
  readonly part: (typeof RECORD_PARTS)[number]
  /** The user's words; between two of them the assistant says "Okay.", unless it says something else. */
  readonly turns: readonly (string | { readonly assistant: string })[]
  readonly record: readonly Label[]
}

export type RecordScore = Awaited<ReturnType<typeof scoreRecords>>[number]

/** Compares what is on record at the end of each conversation with what belongs there. `root`: the bench's folder. */
export async function scoreRecords(root: URL) {
  const text = await readFile(new URL('data/decisions/record.jsonl', root), 'utf8')
  const spoken = text.trim().split('\n').map(parseSpoken)
  const scored = await Promise.all(
    spoken.map(async (each) => ({ ...each, score: scoreMessage(each.record, await held(each), 'strict') })),
  )
  return RECORD_PARTS.map((part) => {
    const own = scored.filter((each) => each.part === part)
    return {
      part,
      conversations: own.length,
      total: total(own.map(({ score }) => score)),
      failures: own.filter(({ score }) => score.misses.length + score.alarms.length > 0),
    }
  })
}

function parseSpoken(line: string): Spoken {
  const { record, ...spoken } = JSON.parse(line)
  return { ...spoken, record: record.map(readLabel) }
}

async function held({ id, turns }: Spoken): Promise<Finding[]> {
  const session = createContextSession({ engine: decisionsEngine, sessionId: id, contextLength: 64_000 })
  const history: Message[] = [{ role: 'system', content: 'You are a coding agent.' }]
  const answer = async (content: string): Promise<void> => {
    await session.observe({ message: { role: 'assistant', content } })
    history.push({ role: 'assistant', content })
  }
  const ask = async (content: string): Promise<void> => {
    history.push({ role: 'user', content })
    await session.prepare(history)
  }
  for (const turn of turns) {
    const isAnswered = history.at(-1)?.role !== 'user'
    if (typeof turn === 'string') {
      if (!isAnswered) await answer('Okay.')
      await ask(turn)
    } else {
      if (isAnswered) await ask('Go on.')
      await answer(turn.assistant)
    }
  }
  const { decisions } = JSON.parse(await session.callTool('decisions_list', { status: 'active', limit: 100 }))
  await session.end()
  return decisions.map(({ slot, area = '', choice }: Record<'slot' | 'area' | 'choice', string>) => ({
    kind: 'assert',
    slot,
    area,
    value: choice,
    quote: choice,
  }))
}
