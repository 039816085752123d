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
  'app/package.json': `{
    "exports": "./src/index.js",
    "dependencies": { "context-engine-short": "1.0.0", "no-json-engine": "*" },
    "devDependencies": null,
    "optionalDependencies": { "context-engine-absent": "1.0.0" }
  }`,
  'app/node_modules/no-json-engine/package.json': '{',
  'node_modules/context-engine-short/package.json':
    '{ "contextEngine": { "name": "short", "entry": "./engine.js" } }',
  'node_modules/context-engine-short/engine.js': '',
  'node_modules/context-engine-other/package.json':
    '{ "contextEngine": { "name": "other", "entry": "./engine.js" } }',
  'plugins/plain/plugin.yaml': 'name: plain',
  'plugins/plain/package.json': '{ "type": "module" }',
  'plugins/plain/index.mts': '',
  'plugins/plain/index.js': '',
  'plugins/named/plugin.yaml': 'name: named\nentry: "src/engine.ts" # never built',
  'plugins/named/src/engine.ts': '',
  'plugins/bare/plugin.yaml': '',
  'plugins/climbs/plugin.yaml': 'entry: ../plain/index.js',
  'plugins/list/plugin.yaml': 'entry: [a]',
  'plugins/no-yaml/plugin.yaml': 'name: [',
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
    ['good.js', 'good.js'],
    ['app/src/index.js', 'app/src/index.js'],
    ['app', 'app/src/index.js'],
    ['./plugins/plain', 'plugins/plain/index.mts'],
    ['plugins/named', 'plugins/named/src/engine.ts'],
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

  it('finds the dependency whose engine has the name', () => {
    expect(resolveModule('short', `${folder}/app`).label).toBe(
      '../node_modules/context-engine-short/engine.js',
    )
    expect(() => resolveModule('other', `${folder}/app`)).toThrow(/^no package other /)
  })

  it.each([
    ['./missing.js', 'there is no file ./missing.js; was it built?'],
    [
      'missing',
      'no package missing in node_modules of this folder and above, and no dependency with an engine of that name; install it here first',
    ],
    ['app/src/no.js', '"app/src/no.js" is neither the name of a package nor a file that is there'],
    ['', '"" is neither the name of a package nor a file that is there'],
    ['./empty', './empty is a folder without a package.json or plugin.yaml; name a file in it'],
    [
      './plugins/bare',
      /^\.\/plugins\/bare has none of index\.ts, .+; name its file as "entry" in plugin\.yaml$/,
    ],
    [
      './plugins/climbs',
      'plugin.yaml of ./plugins/climbs names ../plain/index.js, which is outside of its folder',
    ],
    ['./plugins/list', 'plugin.yaml of ./plugins/list names no file as its engine'],
    ['./plugins/no-yaml', /^plugin\.yaml of \.\/plugins\/no-yaml cannot be read: /],
    ['./no-json', /^package\.json of \.\/no-json cannot be read: /],
    ['./null', 'package.json of ./null names index.js, which is not there; was it built?'],
    ['./unbuilt', 'package.json of ./unbuilt names ./dist/index.js, which is not there; was it built?'],
    ['./climbs', 'package.json of ./climbs names ../good.js, which is outside of its folder'],
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
