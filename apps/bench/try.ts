import { quoteLost } from '@palimpsest/extractive'
import { createTokenCounter } from '@palimpsest/tokens'
import { askedAt, keptIn } from './src/kept/kept-in.ts'
import { readForKept } from './src/kept/kept-reading.ts'
import { openSessions } from './src/commands/options.ts'
const tokens = createTokenCounter()
const { sessions } = await openSessions('/work/shared/data/sessions', '/tmp/wt/clients')
const bytes = (m) => JSON.stringify(m).length + 700
for (const limit of [1e9, 512e3, 384e3, 256e3, 192e3, 128e3, 64e3]) {
  const out = { names: [], relations: [], words: [] } as any; let t = 0, ms = 0, n = 0, sum = 0
  for (const { messages, nativeCompactions } of sessions) {
    const reading = readForKept(messages)
    for (const { beforeEntry: at, summary } of nativeCompactions) {
      if (summary === undefined || at < 2) continue
      n++
      let left = limit
      const before = structuredClone(reading.messages.slice(0, at)).filter((m) => m.role !== 'tool').toReversed().filter((m) => m.role !== 'assistant' || (left -= bytes(m)) >= 0).toReversed()
      const s = performance.now()
      const added = quoteLost({ messages: before, summary: process.argv[2] ? summary : '' })
      ms += performance.now() - s
      t += tokens.countText(added); sum += tokens.countText(summary)
      const kept = keptIn([summary, added].map((content) => ({ role: 'user', content })), askedAt(reading, at), reading)
      for (const k of Object.keys(out)) out[k].push(...kept[k])
    }
  }
  const p = (l) => `${(100 * l.filter(Boolean).length / l.length).toFixed(0)}% of ${l.length}`
  console.log(limit, 'compactions', n, 'tokens', Math.round(t / n), 'ms', Math.round(ms / n), 'names', p(out.names), 'relations', p(out.relations), 'words', p(out.words), 'summary tokens', Math.round(sum / n))
}
