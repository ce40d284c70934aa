export function RoutersPage() { return null; }
