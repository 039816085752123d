import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vitepress'
import { buildApi } from './build-api.ts'
import { root } from './root.ts'

/** Builds the site into site/dist: the documents, the reference of all public names, and the page of the demo's session. */
const site = join(root, 'site')
rmSync(join(site, 'api'), { recursive: true, force: true })
await buildApi(root, join(site, 'api'))
await build(site)
const demo = ['demo', '--html', join(site, 'dist', 'demo.html'), '--no-open']
execFileSync(process.execPath, [join(root, 'apps/palimpsest/dist/main.js'), ...demo], { stdio: 'inherit' })
