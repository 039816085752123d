import type { ToolSchema } from '@palimpsest/core'
import { runTool, TOOL_SCHEMAS } from '../reference/tools.ts'
import { type BrokenEngine, broken } from './broken-engine.ts'

const [GET, SEARCH] = TOOL_SCHEMAS as readonly [ToolSchema, ToolSchema]

/** Mistakes with tools. */
export const brokenTools: readonly BrokenEngine[] = [
  broken('gives two tools the same name', 'C58', {
    keeps: true,
    parts: () => ({ toolSchemas: () => [GET, SEARCH, SEARCH] }),
  }),
  broken('says in plain text that nothing is stored yet', 'C59', {
    keeps: true,
    steps: () => ({
      runTool: (log, ...call) => (log.texts.length === 0 ? 'Nothing is stored yet.' : runTool(log, ...call)),
    }),
  }),
  broken('answers nothing to a call of an unknown tool', 'C60', {
    keeps: true,
    steps: () => ({
      runTool: (log, name, args) => (name.startsWith('ref_') ? runTool(log, name, args) : 'null'),
    }),
  }),
  broken('throws when there are no arguments', 'C61', {
    keeps: true,
    steps: () => ({
      runTool(log, name, args) {
        if (args === null || args === undefined) throw new TypeError(`Cannot read properties of ${args}`)
        return runTool(log, name, args)
      },
    }),
  }),
  broken('searches with any regular expression', 'C61', {
    keeps: true,
    steps: () => ({
      runTool(log, name, args) {
        const answer = runTool(log, name, args)
        if (!('matches' in JSON.parse(answer))) return answer
        try {
          const pattern = new RegExp((args as { query: string }).query)
          const matches = log.texts.filter((text) => pattern.test(text)).slice(0, 10)
          return JSON.stringify({ ...JSON.parse(answer), matches })
        } catch (error) {
          return JSON.stringify({ error: String(error) })
        }
      },
    }),
  }),
  broken('finds as much as there is', 'C62', {
    keeps: true,
    steps: () => ({
      runTool(log, name, args) {
        const answer = JSON.parse(runTool(log, name, args))
        if (!('matches' in answer)) return JSON.stringify(answer)
        const { query } = args as { query: string }
        return JSON.stringify({ ...answer, matches: log.texts.filter((text) => text.includes(query)) })
      },
    }),
  }),
  broken('searches the first 4,000 characters of each message', 'C62', {
    keeps: true,
    steps: () => ({
      runTool(log, name, args) {
        if (name !== 'ref_search') return runTool(log, name, args)
        const texts = log.texts.map((text) => {
          const { content, ...message } = JSON.parse(text)
          return JSON.stringify({ ...message, content: content?.slice(0, 4_000) })
        })
        return runTool({ ...log, texts }, name, args)
      },
    }),
  }),
]
