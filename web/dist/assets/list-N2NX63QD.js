import{a,b,c}from"./chunk-Z46FG2E5.js";import"./chunk-X44NGEMF.js";import"./chunk-D7OEE6YY.js";import"./chunk-SAZCUBKZ.js";export{a as EventList,c as FrontEvents,b as useEvents};
