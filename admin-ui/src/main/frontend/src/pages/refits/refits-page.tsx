export function RefitsPage() { return null; }
