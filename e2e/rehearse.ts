import { join } from 'node:path'
import { findPackingFaults } from './find-packing-faults.ts'
import { type Fixture, startFixture } from './fixture.ts'
import type { PublishedPackage } from './publish.ts'
import { PACKAGE_MANAGERS, tryReadme } from './try-readme.ts'

interface Rehearsed {
  readonly published: PublishedPackage
  readonly faults: readonly string[]
}

async function rehearse(published: PublishedPackage, { folder, user }: Fixture): Promise<Rehearsed> {
  const faults = [...(await findPackingFaults(published.folder))]
  for (const manager of PACKAGE_MANAGERS) {
    const place = join(folder, manager, published.name.replace('/', '+'))
    faults.push(...(await tryReadme(published, manager, place, user)).map((fault) => `${manager}: ${fault}`))
  }
  return { published, faults }
}

function renderTable(rows: readonly Rehearsed[]): string {
  const cells = [
    ['package', 'version', 'tarball', 'result'],
    ...rows.map(({ published: { name, version, size }, faults }) => [
      name,
      version,
      `${(size / 1024).toFixed(1)} KiB`,
      faults.length === 0 ? 'good' : `${faults.length} faults`,
    ]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * `pnpm release:rehearse`: publishes every public package to a registry on this machine, installs each from it as its
 * README says, and prints a table. Exits with 1 if anything is wrong with any of them.
 */
const { fixture, stop } = await startFixture((line) => console.error(line))
try {
  const rows: Rehearsed[] = []
  for (const published of fixture.published) {
    const row = await rehearse(published, fixture)
    console.error(`${published.name}: ${row.faults.length === 0 ? 'installed with npm and pnpm' : 'failed'}`)
    for (const fault of row.faults) console.error(`  ${fault.trim().replaceAll('\n', '\n  ')}`)
    rows.push(row)
  }
  console.log(`\n${renderTable(rows)}`)
  if (rows.some(({ faults }) => faults.length > 0)) process.exitCode = 1
} finally {
  await stop()
}
