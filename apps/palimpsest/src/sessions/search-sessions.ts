import { join, resolve } from 'node:path'
import { isObject } from '@palimpsest/core'
import { messageRef, searchStore } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { shellWords } from '../connect/hosts.ts'
import { homeFolder } from '../home-folder.ts'
import { printHits, type QueryFlags, readQuery, renderAll, toJson } from '../lcm/grep.ts'
import { printJson, printLines } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { withProgress } from '../progress.ts'
import { openSessionIndex } from '../recall/session-index.ts'
import type { AgentName } from './agents.ts'
import { describeSession, type ListedSession, listedFacts, sessionLine } from './listed-session.ts'

export interface SearchFlags extends Pick<QueryFlags, 'role' | 'since' | 'before' | 'limit'> {
  readonly agent?: AgentName
  readonly project?: string
  readonly json?: boolean
}

/** `palimpsest sessions search`: for a person, the search and the index of `palimpsest mcp`. */
export async function searchSessions(words: readonly string[], flags: SearchFlags): Promise<number> {
  const { agent, project, json = false } = flags
  const text = words.join(' ')
  const query = readQuery(text, flags)
  const folder = join(homeFolder(process.env), 'recall')
  const index = await openSessionIndex({
    ...{ folder, env: process.env, agent, project: resolve(project ?? '.') },
    scope: project === undefined ? 'all' : 'project',
    // A person sees how long it takes, and may stop it.
    patience: Number.POSITIVE_INFINITY,
    log: (line) => void process.stderr.write(`palimpsest: ${printable(line)}\n`),
  })
  try {
    const { sessions, facts = {} } = await withProgress('reading', (onProgress) =>
      index.sessions({ tool: 'lcm_grep', query: text, onProgress }),
    )
    const asked = { ...query, among: 'messages', sessions: sessions.map(({ key }) => key) } as const
    const { found, complete } = await searchStore(index.store, asked, { clock: { now: Date.now } })
    const listed = new Map<string, ListedSession>()
    for (const { session } of found) {
      const file = index.fileOf(session)
      if (file !== undefined) listed.set(session, await describeSession(file))
    }
    const isWhole = complete && facts.complete !== false
    const unread = Array.isArray(facts.unread) ? facts.unread.filter(isObject) : []
    if (json) {
      const hits = found.map((each) => {
        const session = listed.get(each.session)
        return { ...(session && listedFacts(session)), ...toJson(each) }
      })
      printJson({ complete: isWhole, searched: sessions.length, sessions: hits, unread })
      return 0
    }
    const titleOf = (key: string) => {
      const session = listed.get(key)
      return session === undefined ? key : sessionLine(session)
    }
    printHits(found, { titleOf, saysWhere: false })
    printLines(renderAll(found, isWhole))
    if (sessions.length === 0)
      printLines(
        `there is no session ${project === undefined ? 'on this machine' : `of ${resolve(project)}`}`,
      )
    const [first] = found
    const [hit] = first?.messages?.hits ?? []
    if (first !== undefined && hit !== undefined) {
      const at = ['--session', first.session, '--store', join(folder, 'sessions.db')]
      const expand = shellWords(['palimpsest', 'lcm', 'expand', messageRef(hit.seq), ...at])
      const whole = shellWords(['palimpsest', 'sessions', 'export', listed.get(first.session)?.shortId ?? ''])
      printLines(colors.dim(`the whole message: ${expand}`), colors.dim(`the whole session: ${whole}`))
    }
    for (const { file, reason } of unread)
      process.stderr.write(`not read: ${printable(String(file))}: ${printable(String(reason))}\n`)
    return 0
  } finally {
    await index.close()
  }
}
