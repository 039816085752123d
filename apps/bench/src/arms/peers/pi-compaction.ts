import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { CompactionEntry, CompactionResult, SessionEntry } from '@earendil-works/pi-coding-agent'
import {
  type CompletionModel,
  countMessages,
  isInstruction,
  type Message,
  messageText,
} from '@palimpsest/core'
import { toPiMessage } from '@palimpsest/transcripts'
import type { Arm } from '../arm.ts'
import { cutToBudget } from '../bounds.ts'
import { type PackageManifest, packageLabel, peerArm } from './peer-arm.ts'

/** pi keeps 20,000 tokens of a window of 200,000; at most this share of a smaller one. */
const KEEP_TOKENS = 20_000
const KEEP_SHARE = 3 / 8
const RESERVE_SHARE = 0.3
const shownSummary = (summary: string) =>
  `The conversation history before this point was compacted into the following summary:\n\n<summary>\n${summary}\n</summary>`

const manifestPath = findPackageJSON('@earendil-works/pi-coding-agent', import.meta.url) ?? ''
const manifest: PackageManifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
// pi exports `compact`, but not its preparation.
const load = (): Promise<CompactionFunctions> =>
  import(new URL('dist/core/compaction/index.js', pathToFileURL(manifestPath)).href)

interface CompactionFunctions {
  prepareCompaction(entries: readonly SessionEntry[], settings: object): object | undefined
  compact(preparation: object, ...rest: readonly unknown[]): Promise<CompactionResult>
}

export const piCompaction: Arm = peerArm(
  {
    name: 'pi compaction',
    description:
      `prepareCompaction and compact of ${packageLabel(manifest)}: at the budget, keepRecentTokens 20,000 or 3/8 of the budget; ` +
      'then the summary and the tail that fits',
  },
  ({ budget, tokens, model }) => {
    const entries: SessionEntry[] = []
    const sources = new Map<string, Message>()
    const settings = {
      enabled: true,
      reserveTokens: Math.floor(budget * RESERVE_SHARE),
      keepRecentTokens: Math.min(KEEP_TOKENS, Math.floor(budget * KEEP_SHARE)),
    }
    const append = (entry: Record<string, unknown>): void => {
      const parentId = entries.at(-1)?.id ?? null
      entries.push({
        id: `e${entries.length}`,
        parentId,
        timestamp: new Date(0).toISOString(),
        ...entry,
      } as never)
    }
    let read = 0
    return async (transcript, head) => {
      const { prepareCompaction, compact } = await load()
      for (const message of transcript.slice(read)) {
        if (isInstruction(message)) continue
        append({ type: 'message', message: toPiMessage(message, {}) })
        sources.set(entries.at(-1)?.id ?? '', message)
      }
      read = transcript.length
      let compacted = false
      if (countMessages(tokens, [...head, ...visible(entries, sources)]) > budget) {
        const preparation = prepareCompaction(entries, settings)
        const result =
          preparation &&
          (await compact(preparation, PI_MODEL, ...Array<undefined>(5), answerWith(model))
            // pi continues with what it had.
            .catch(() => undefined))
        if (result) append({ type: 'compaction', ...result })
        compacted = Boolean(result)
      }
      const shown = visible(entries, sources)
      return {
        ...cutToBudget(
          { head, shown, hasSummary: entries.some(({ type }) => type === 'compaction') },
          { budget, tokens },
        ),
        compacted,
      }
    }
  },
)

const PI_MODEL = { id: 'bench', name: 'bench', api: 'openai-completions', provider: 'bench', maxTokens: 0 }

function visible(entries: readonly SessionEntry[], sources: ReadonlyMap<string, Message>): Message[] {
  const compaction = entries.findLast((entry): entry is CompactionEntry => entry.type === 'compaction')
  const from = entries.findIndex(({ id }) => id === compaction?.firstKeptEntryId)
  const kept = entries.slice(Math.max(0, from)).flatMap(({ id }) => sources.get(id) ?? [])
  return compaction === undefined
    ? kept
    : [{ role: 'user', content: shownSummary(compaction.summary) }, ...kept]
}

function answerWith(model: CompletionModel) {
  type Asked = { readonly systemPrompt?: string; readonly messages: readonly Message[] }
  const answer = async ({ systemPrompt, messages }: Asked): Promise<object> => {
    const prompt = messages.map(messageText).join('\n')
    const { text } = await model.complete({ ...(systemPrompt && { system: systemPrompt }), prompt })
    return toPiMessage({ role: 'assistant', content: text }, {})
  }
  return (_: unknown, asked: Asked) => ({ result: () => answer(asked) })
}
