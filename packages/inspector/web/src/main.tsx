import '@mantine/core/styles.css'
import './page.css'
import { createTheme, type MantineColorsTuple, MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { ErrorBoundary } from './shell/notice.tsx'

const dark: MantineColorsTuple = [
  '#e6e8ec',
  '#c3c7ce',
  '#9aa0aa',
  '#747b86',
  '#3d434d',
  '#2d323a',
  '#22262d',
  '#171a1f',
  '#121418',
  '#0c0e11',
]

const theme = createTheme({
  colors: { dark },
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
})

const parts = [...document.querySelectorAll('.palimpsest-part')]
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <ErrorBoundary>
        <App embedded={document.getElementById('palimpsest-data')?.textContent ?? null} parts={parts} />
      </ErrorBoundary>
    </MantineProvider>,
  )
