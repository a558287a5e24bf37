import { createContext } from 'react'

/** What marks the product's own inline scripts while a page is rendered on the server; absent in the browser. */
export const ScriptMark = createContext<string | undefined>(undefined)
