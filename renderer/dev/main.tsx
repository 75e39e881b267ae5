import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ComponentSheet } from './ComponentSheet.tsx'

// `?theme=light` and `?theme=system` show the other themes; a test has no other way to ask.
const asked = new URLSearchParams(location.search)
const theme = asked.get('theme')
if (theme !== null) document.documentElement.dataset['theme'] = theme
const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <ComponentSheet only={asked.get('only')} />
    </StrictMode>,
  )
}
