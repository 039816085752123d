import { execFile, execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { scripted, startTestService, words } from '../serve/test-service.ts'

const bridge = fileURLToPath(new URL('../../bridge', import.meta.url))
const python = findPython()
if (python === undefined) console.log('the bridge is not tested: there is no python3 here')

const PROGRAM = `
import json, sys
from palimpsest_agent import PalimpsestAgent
first, second = PalimpsestAgent(sys.argv[1]), PalimpsestAgent(sys.argv[1])
first.init("kinto/kinto")
second.init("falcon")
asked = {"query": "ما هو المنفذ؟", "task": "IE", "relevantCodes": ["def port(): return 4711"], "other": 1}
print(json.dumps([first.query(asked), second.query({"query": "and here?", "task": None}), first.query({"query": "again"})]))
print(json.dumps([first.state(), second.state()]))
`

it.skipIf(python === undefined)('forwards the benchmark’s agent interface to the service', async () => {
  const seen: string[] = []
  const answer = scripted(({ messages }) => {
    seen.push(messages.map(({ content }) => String(content)).join('\n'))
    return words(`answer ${seen.length}`)
  })
  const service = await startTestService({ models: { answer } })
  const { PALIMPSEST_TOKEN: _, ...environment } = process.env
  const env = { ...environment, PYTHONPATH: bridge, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await promisify(execFile)(python ?? '', ['-c', PROGRAM, service.url], { env })
  const [answers, states] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers).toEqual([{ answer: 'answer 1' }, { answer: 'answer 2' }, { answer: 'answer 3' }])
  expect(states).toMatchObject([
    { repoName: 'kinto/kinto', turn: 2, decisions: null },
    { repoName: 'falcon', turn: 1 },
  ])
  expect(seen[0]).toContain('<repository>kinto/kinto</repository>')
  expect(seen[0]).toContain('def port(): return 4711')
  expect(seen[0]).toContain('Task: IE\n\nما هو المنفذ؟')
  expect(seen[1]).toContain('<repository>falcon</repository>')
  expect(seen[1]).not.toContain('4711')
  expect(seen[2]).toContain('answer 1')
})

function findPython(): string | undefined {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' })
    return 'python3'
  } catch {
    return undefined
  }
}
