import { describe, expect, it } from 'vitest'
import { renderHtml } from '../../src/report/render-html.ts'
import { reportSections } from '../../src/report/report-sections.ts'
import { fixtureReport } from './fixture-report.ts'

const sections = reportSections(fixtureReport)
const page = renderHtml(sections)

describe('renderHtml', () => {
  it('needs nothing but itself', () => {
    expect(page).not.toMatch(/<script|<link|<img|@import|url\((?!#)|(?:src|href)="(?!#)/)
    expect(page.match(/<svg /g)).toHaveLength(6)
    for (const [, target] of page.matchAll(/(?:href="|url\()#([\w-]+)/g))
      expect(page.split(`id="${target}"`)).toHaveLength(2)
  })

  it('escapes what names hold', () => {
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).toContain('<td>two *engines*</td>')
  })

  it('shows every table of the report, with code as code', () => {
    expect(page.match(/<table>/g)).toHaveLength(sections.filter(({ table }) => table !== undefined).length)
    expect(page).toContain('<code>pnpm bench --data sessions</code>')
    expect(page).toContain('<td class="n">0.600 (0.54 to 0.63)</td>')
  })

  it('is readable on a phone and in the dark', () => {
    for (const part of ['width=device-width', 'prefers-color-scheme: dark', 'overflow-x: auto'])
      expect(page).toContain(part)
  })
})
