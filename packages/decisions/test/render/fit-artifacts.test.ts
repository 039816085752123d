import { expect, it } from 'vitest'
import type { ArtifactTouch } from '../../src/candidates/artifact-touch.ts'
import { fitArtifacts } from '../../src/render/fit-artifacts.ts'
import { touchedBy } from './renders.ts'

const touch = (path: string, turn: number): ArtifactTouch => ({
  ...{ path, turn, message: turn, call: 0, operation: 'edited', failed: false },
})

it('counts few lines of many files, and shows those that it would show of all', () => {
  const touches = Array.from({ length: 6_000 }, (_, at) => touch(`/shop/dir${at}/file${at}.ts`, at))
  let counted = 0
  const { lines, tokens } = fitArtifacts(touchedBy(touches), 200, (line) => {
    counted++
    return Math.ceil(line.length / 4)
  })
  expect(counted).toBeLessThan(600)
  expect(tokens).toBeLessThanOrEqual(200)
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.at(-1)).toMatch(/^- and \d+ more files$/)
})
