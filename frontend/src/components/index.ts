export { Amount } from "./amount";
export { Badge, type ResultChip, ResultChips } from "./badge";
export { BetAmountField } from "./bet-amount-field";
export { BetForm } from "./bet-form";
export { Button, IconButton, LinkButton } from "./button";
export { CopyButton } from "./copy-button";
export { ConfirmDialog, Dialog } from "./dialog";
export { DockAction, DockAmount } from "./dock";
export { ExtraCent } from "./extra-cent";
export { Checkbox, Field, Input } from "./field";
export { HashLine } from "./hash-line";
export { HowToPlay } from "./how-to-play";
export { LiveRegion } from "./live-region";
export {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "./menu";
export { PageTitle } from "./page-title";
export { PageHeader, Panel, Stat } from "./panel";
export { Percent } from "./percent";
export { SegmentedControl } from "./segmented-control";
export { Select } from "./select";
export { Slider } from "./slider";
export { Skeleton, Spinner } from "./spinner";
export { EmptyState, ErrorState } from "./states";
export { Table, TableCell, TableHead } from "./table";
export { Tabs, TabsContent, TabsList, TabsTrigger } from "./tabs";
export { dismissErrors, toast } from "./toast-store";
export { Toaster } from "./toaster";
export { Verdict } from "./verdict";
