import { expect, it } from 'vitest'
import { repeatCommand } from '../../src/cli/people-reporter.ts'

it('is as short as the call was', () => {
  const call = { module: './dist/index.js', options: {}, runs: undefined }
  expect(repeatCommand(call, 'P05', 1)).toBe('palimpsest-contract ./dist/index.js P05 --seed 1')
})

it('has the options and runs of the call, for a shell', () => {
  const call = { module: 'my folder/a.js', options: { word: "it's" }, runs: 7 }
  expect(repeatCommand(call, 'P05', -4)).toBe(
    `palimpsest-contract 'my folder/a.js' P05 --seed=-4 --options '{"word":"it'\\''s"}' --runs 7`,
  )
})
