import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { resolveModule } from '../../src/cli/resolve-module.ts'
import { temporaryFolder, writeFiles } from './engine-files.ts'

const folder = temporaryFolder()

writeFiles(folder, {
  'good.js': '',
  'app/src/index.js': '',
  'node_modules/main-engine/package.json': '{ "main": "lib/main.cjs" }',
  'node_modules/main-engine/lib/main.cjs': '',
  'node_modules/plain-engine/package.json': '{}',
  'node_modules/plain-engine/index.js': '',
  'node_modules/@scope/import-only/package.json':
    '{ "exports": { ".": { "types": "./a.d.ts", "require": null, "import": { "default": "./dist/index.js" } } } }',
  'node_modules/@scope/import-only/dist/index.js': '',
  'node_modules/list-engine/package.json': '{ "exports": [{ "browser": "./no.js" }, "./yes.js"] }',
  'node_modules/list-engine/yes.js': '',
  'node_modules/entry-engine/package.json':
    '{ "contextEngine": { "entry": "./engine.js" }, "exports": "./index.js" }',
  'node_modules/entry-engine/engine.js': '',
  'app/package.json': '{ "exports": "./src/index.js" }',
  'app/node_modules/plain-engine/package.json': '{ "exports": { "./only/below": "./x.js" } }',
  'empty/readme.txt': '',
  'no-json/package.json': '{',
  'null/package.json': 'null',
  'unbuilt/package.json': '{ "exports": { "import": "./dist/index.js" } }',
  'climbs/package.json': '{ "contextEngine": { "entry": "../good.js" } }',
  'odd/package.json': '{ "contextEngine": { "entry": 5 } }',
})

describe('resolveModule', () => {
  it.each([
    ['./good.js', 'good.js'],
    ['./app/../good.js', 'good.js'],
    [pathToFileURL(`${folder}/good.js`).href, 'good.js'],
    [`${folder}/good.js`, 'good.js'],
    ['./app', 'app/src/index.js'],
    ['main-engine', 'node_modules/main-engine/lib/main.cjs'],
    ['plain-engine', 'node_modules/plain-engine/index.js'],
    ['@scope/import-only', 'node_modules/@scope/import-only/dist/index.js'],
    ['list-engine', 'node_modules/list-engine/yes.js'],
    ['entry-engine', 'node_modules/entry-engine/engine.js'],
  ])('finds %s', (typed, file) => {
    expect(resolveModule(typed, folder)).toEqual({
      url: pathToFileURL(`${folder}/${file}`).href,
      label: `./${file}`,
    })
  })

  it('finds packages of the folders above, and the package of the folder itself', () => {
    expect(resolveModule('main-engine', `${folder}/app`).label).toBe(
      '../node_modules/main-engine/lib/main.cjs',
    )
    expect(resolveModule('.', `${folder}/app`).label).toBe('./src/index.js')
  })

  it.each([
    ['./missing.js', 'there is no file ./missing.js; was it built?'],
    ['missing', 'no package missing in node_modules of this folder and above; install it here first'],
    ['good.js', 'no package good.js in node_modules of this folder and above; for the file, write ./good.js'],
    ['app/src/index.js', '"app/src/index.js" is not the name of a package; for a file, write ./ before it'],
    ['', '"" is not the name of a package; for a file, write ./ before it'],
    ['./empty', './empty is a folder without a package.json; name a file in it'],
    ['./no-json', /^package\.json of \.\/no-json cannot be read: /],
    ['./null', 'package.json of ./null names index.js, which is not there; was it built?'],
    ['./unbuilt', 'package.json of ./unbuilt names ./dist/index.js, which is not there; was it built?'],
    ['./climbs', 'package.json of ./climbs names ../good.js, which is outside of the package'],
    ['./odd', 'package.json of ./odd names no file as its engine'],
  ])('refuses %s', (typed, message) => {
    expect(() => resolveModule(typed, folder)).toThrow(message)
  })

  it('stops at the nearest package of a name', () => {
    expect(() => resolveModule('plain-engine', `${folder}/app`)).toThrow(
      /^package\.json of plain-engine names/,
    )
  })
})
