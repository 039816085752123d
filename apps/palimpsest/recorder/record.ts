import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { recordSession } from './record-session.ts'
import { episodes } from './script/index.ts'
import { systemPrompt } from './script/system-prompt.ts'

/** Stack traces and the test reporter differ between major versions of Node. */
const NODE_MAJOR = '24'

const session = new URL('../sessions/ledger.jsonl', import.meta.url)

function record(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-recorder-')))
  const root = join(folder, 'workspace')
  try {
    cpSync(new URL('workspace', import.meta.url), root, { recursive: true })
    const messages = recordSession(root, systemPrompt, episodes)
    return messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function firstDifference(a: string, b: string): number {
  const lines = b.split('\n')
  return a.split('\n').findIndex((line, index) => line !== lines[index]) + 1
}

function main(check: boolean): number {
  if (process.versions.node.split('.')[0] !== NODE_MAJOR) {
    console.error(`the session is recorded with Node ${NODE_MAJOR}; this is Node ${process.versions.node}`)
    return 1
  }
  const recorded = record()
  if (!check) {
    writeFileSync(session, recorded)
    console.log(`wrote ${recorded.split('\n').length - 1} messages to sessions/ledger.jsonl`)
    return 0
  }
  const committed = readFileSync(session, 'utf8')
  if (recorded === committed) {
    console.log('the recording is the committed session, byte for byte')
    return 0
  }
  console.error(
    `sessions/ledger.jsonl is not what the recorder writes; first difference in line ${firstDifference(recorded, committed)}`,
  )
  return 1
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
process.exitCode = main(values.check)
