import './mantine-styles.ts'
import './page.css'
import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { theme } from './theme.ts'

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <ErrorBoundary>
        <App embedded={document.getElementById('palimpsest-data')?.textContent ?? null} />
      </ErrorBoundary>
    </MantineProvider>,
  )
